//! How often properties are tried.

use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};

/// Tries a property on so many cases, the same ones each time; with `PROPTEST_CASES` on as many
/// more as that is more than 256, other ones each time.
pub fn runner(cases: u32) -> TestRunner {
    let config = Config { failure_persistence: None, ..Config::default() };
    match std::env::var_os("PROPTEST_CASES") {
        None => {
            let rng = TestRng::deterministic_rng(RngAlgorithm::ChaCha);
            TestRunner::new_with_rng(Config { cases, ..config }, rng)
        }
        Some(_) => {
            let cases = u64::from(cases) * u64::from(config.cases) / 256;
            TestRunner::new(Config { cases: cases.max(1) as u32, ..config })
        }
    }
}
