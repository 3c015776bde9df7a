//! What a person does at the page, and what can be seen there.

use fantoccini::actions::{InputSource, KeyAction, KeyActions};
use fantoccini::wd::WebDriverCompatibleCommand;
use fantoccini::{Client, Locator};
use http::Method;
use serde_json::{Value, json};
use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};
use tokio::time::sleep;
use url::{ParseError, Url};

/// How long anything may take to be seen.
const PATIENCE: Duration = Duration::from_secs(15);

/// A command of chromedriver beyond the standard: its path within the session, and its body.
#[derive(Debug)]
struct Extra(&'static str, Value);

impl WebDriverCompatibleCommand for Extra {
    fn endpoint(&self, base: &Url, session: Option<&str>) -> Result<Url, ParseError> {
        base.join(&format!("session/{}/{}", session.unwrap_or_default(), self.0))
    }

    fn method_and_body(&self, _: &Url) -> (Method, Option<String>) {
        (Method::POST, Some(self.1.to_string()))
    }
}

/// The page in its browser.
#[derive(Clone)]
pub struct Page {
    client: Client,
    address: String,
}

impl Page {
    pub fn new(client: Client, address: String) -> Self {
        Self { client, address }
    }

    /// Opens the page anew, with what stands behind the `#`, and waits for the board.
    pub async fn open(&self, hash: &str) {
        self.client.goto("about:blank").await.unwrap();
        let mark = if hash.is_empty() { "" } else { "#" };
        self.client.goto(&format!("{}/{mark}{hash}", self.address)).await.unwrap();
        self.until("document.querySelector('[data-point]')").await;
        self.settled().await;
    }

    /// Opens a position of a variant.
    pub async fn show(&self, variant: &str, position: &str) {
        let hash = url::form_urlencoded::Serializer::new(String::new())
            .append_pair("variant", variant)
            .append_pair("position", position)
            .finish();
        self.open(&hash).await;
    }

    pub async fn run(&self, script: &str) -> Value {
        self.client.execute(script, vec![]).await.unwrap()
    }

    pub async fn tell(&self, expression: &str) -> Value {
        self.run(&format!("return {expression};")).await
    }

    /// Waits until an expression is true.
    pub async fn until(&self, expression: &str) {
        let since = Instant::now();
        while !truth(&self.tell(&format!("Boolean({expression})")).await) {
            if since.elapsed() > PATIENCE {
                let page = self.tell("document.body.innerText").await;
                panic!("never: {expression}\n{}", page.as_str().unwrap_or_default());
            }
            sleep(Duration::from_millis(20)).await;
        }
    }

    /// Waits until nothing is being asked.
    pub async fn settled(&self) {
        self.until("!/^(Asking|Loading)/.test(document.getElementById('verdict').textContent)")
            .await;
    }

    /// The text of an element.
    pub async fn text(&self, selector: &str) -> String {
        let found = self.tell(&format!("document.querySelector({selector:?})?.textContent")).await;
        found.as_str().unwrap_or_else(|| panic!("no {selector}")).to_owned()
    }

    /// Waits until an element says something.
    pub async fn says(&self, selector: &str, words: &str) {
        self.until(&format!(
            "document.querySelector({selector:?})?.textContent.includes({words:?})"
        ))
        .await;
    }

    pub async fn click(&self, selector: &str) {
        self.until(&format!("document.querySelector({selector:?})")).await;
        self.client.find(Locator::Css(selector)).await.unwrap().click().await.unwrap();
    }

    /// Touches a point of the board.
    pub async fn touch(&self, point: &str) {
        self.click(&format!("[data-point={point}]")).await;
    }

    /// What a point is called for those who cannot see it.
    pub async fn label(&self, point: &str) -> String {
        let expression =
            format!("document.querySelector('[data-point={point}]').getAttribute('aria-label')");
        self.tell(&expression).await.as_str().unwrap().to_owned()
    }

    /// Waits until a point's label has some words.
    pub async fn labelled(&self, point: &str, words: &str) {
        self.until(&format!(
            "document.querySelector('[data-point={point}]').getAttribute('aria-label')\
             .includes({words:?})"
        ))
        .await;
    }

    /// Presses keys, wherever the focus is.
    pub async fn keys(&self, keys: &[char]) {
        let mut actions = KeyActions::new("keys".into());
        for &value in keys {
            actions = actions.then(KeyAction::Down { value }).then(KeyAction::Up { value });
        }
        self.client.perform_actions(actions).await.unwrap();
    }

    pub async fn choose(&self, selector: &str, value: &str) {
        let select = self.client.find(Locator::Css(selector)).await.unwrap();
        select.select_by_value(value).await.unwrap();
    }

    pub async fn paste(&self, text: &str) {
        let field = self.client.find(Locator::Id("text")).await.unwrap();
        field.clear().await.unwrap();
        field.send_keys(text).await.unwrap();
        self.click("#paste button[type=submit]").await;
    }

    /// Sets a slider or a number as a hand would.
    pub async fn set(&self, selector: &str, value: &str) {
        self.run(&format!(
            "const field = document.querySelector({selector:?}); field.value = {value:?}; \
             field.dispatchEvent(new Event('input', {{ bubbles: true }}));"
        ))
        .await;
    }

    pub async fn back(&self) {
        self.client.back().await.unwrap();
    }

    pub async fn url(&self) -> String {
        self.client.current_url().await.unwrap().to_string()
    }

    pub async fn go(&self, url: &str) {
        self.client.goto("about:blank").await.unwrap();
        self.client.goto(url).await.unwrap();
        self.until("document.querySelector('[data-point]')").await;
        self.settled().await;
    }

    pub async fn devtools(&self, command: &str, parameters: Value) {
        let body = json!({ "cmd": command, "params": parameters });
        self.client.issue_cmd(Extra("goog/cdp/execute", body)).await.unwrap();
    }

    /// A screen of this many pixels.
    pub async fn screen(&self, width: u32, height: u32, mobile: bool) {
        let screen = json!({
            "width": width, "height": height, "deviceScaleFactor": 1, "mobile": mobile,
        });
        self.devtools("Emulation.setDeviceMetricsOverride", screen).await;
    }

    /// A wish of the person, such as `prefers-color-scheme`.
    pub async fn prefer(&self, name: &str, value: &str) {
        let wish = json!({ "features": [{ "name": name, "value": value }] });
        self.devtools("Emulation.setEmulatedMedia", wish).await;
    }

    /// Errors and warnings that the console has shown since it was last asked.
    pub async fn console_errors(&self) -> Vec<String> {
        let log = self.client.issue_cmd(Extra("se/log", json!({ "type": "browser" }))).await;
        let entries = log.ok().and_then(|log| log.as_array().cloned()).unwrap_or_default();
        let bad = |entry: &&Value| matches!(entry["level"].as_str(), Some("SEVERE" | "WARNING"));
        entries.iter().filter(bad).map(|entry| entry["message"].to_string()).collect()
    }

    /// Keeps what can be seen.
    pub async fn picture(&self, name: &str) {
        let pictures = Path::new(env!("CARGO_TARGET_TMPDIR")).join("pictures");
        fs::create_dir_all(&pictures).unwrap();
        let picture = self.client.screenshot().await.unwrap();
        fs::write(pictures.join(format!("{name}.png")), picture).unwrap();
    }

    /// Nothing is wider than the screen.
    pub async fn fits(&self) {
        let [wide, screen] = ["document.documentElement.scrollWidth", "innerWidth"]
            .map(|expression| self.tell(expression));
        let (wide, screen) = (wide.await.as_u64().unwrap(), screen.await.as_u64().unwrap());
        assert!(wide <= screen, "{wide} pixels on a screen of {screen}");
    }
}

fn truth(value: &Value) -> bool {
    value.as_bool().unwrap_or(false)
}
