#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| merels_fuzz::packed::run(data));
