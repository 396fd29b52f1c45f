//! A page as a browser reads it: its elements with their attributes and texts.

use std::cell::RefCell;
use std::collections::BTreeMap;

use html5ever::tokenizer::{
    BufferQueue, Tag, TagKind, Token, TokenSink, TokenSinkResult, Tokenizer, TokenizerOpts, states::RawKind,
};

/// Elements without an end tag (HTML §13.1.2).
const VOID: [&str; 5] = ["br", "hr", "img", "link", "meta"];

/// An element.
#[derive(Clone, Debug, Default)]
pub(crate) struct Element {
    pub(crate) name: String,
    pub(crate) attributes: BTreeMap<String, String>,
    /// The elements around it, the outermost first, by their places in the page.
    pub(crate) around: Vec<usize>,
    /// Its text and that of everything in it.
    pub(crate) text: String,
}

impl Element {
    pub(crate) fn attribute(&self, name: &str) -> Option<&str> {
        self.attributes.get(name).map(String::as_str)
    }
}

/// A page.
#[derive(Debug, Default)]
pub(crate) struct Page {
    /// In the order in which they begin.
    pub(crate) elements: Vec<Element>,
    open: Vec<usize>,
    /// What a browser would have to mend.
    pub(crate) mistakes: Vec<String>,
}

impl Page {
    pub(crate) fn read(html: &str) -> Self {
        let sink = Sink(RefCell::default());
        let tokenizer = Tokenizer::new(sink, TokenizerOpts { exact_errors: true, ..TokenizerOpts::default() });
        let input = BufferQueue::default();
        input.push_back(html.into());
        let _ = tokenizer.feed(&input);
        tokenizer.end();
        let mut page = tokenizer.sink.0.into_inner();
        let left_open: Vec<String> =
            page.open.iter().map(|i| format!("<{}> is left open", page.elements[*i].name)).collect();
        page.mistakes.extend(left_open);
        page
    }

    pub(crate) fn all<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a Element> {
        self.elements.iter().filter(move |element| element.name == name)
    }

    /// The one element of this name.
    pub(crate) fn one<'a>(&'a self, name: &'a str) -> &'a Element {
        let found: Vec<&Element> = self.all(name).collect();
        assert_eq!(found.len(), 1, "<{name}>");
        found[0]
    }

    /// The element with this id.
    pub(crate) fn by_id(&self, id: &str) -> &Element {
        let found = self.elements.iter().find(|element| element.attribute("id") == Some(id));
        found.unwrap_or_else(|| panic!("nothing has the id {id}"))
    }

    pub(crate) fn text(&self) -> &str {
        &self.one("html").text
    }

    fn begin(&mut self, tag: &Tag) {
        let attributes = tag.attrs.iter().map(|one| (one.name.local.to_string(), one.value.to_string())).collect();
        let name = tag.name.to_string();
        let is_over = tag.self_closing || VOID.contains(&name.as_str());
        self.elements.push(Element { name, attributes, around: self.open.clone(), text: String::new() });
        if !is_over {
            self.open.push(self.elements.len() - 1);
        }
    }

    fn end(&mut self, tag: &Tag) {
        match self.open.last() {
            Some(last) if self.elements[*last].name == *tag.name => {
                self.open.pop();
            }
            _ => self.mistakes.push(format!("</{}> ends nothing", tag.name)),
        }
    }

    fn say(&mut self, text: &str) {
        for i in &self.open {
            self.elements[*i].text.push_str(text);
        }
    }
}

struct Sink(RefCell<Page>);

impl TokenSink for Sink {
    type Handle = ();

    fn process_token(&self, token: Token, line: u64) -> TokenSinkResult<()> {
        let mut page = self.0.borrow_mut();
        match token {
            Token::TagToken(tag) if tag.kind == TagKind::StartTag => {
                page.begin(&tag);
                return match &*tag.name {
                    "title" => TokenSinkResult::RawData(RawKind::Rcdata),
                    "style" => TokenSinkResult::RawData(RawKind::Rawtext),
                    "script" => TokenSinkResult::RawData(RawKind::ScriptData),
                    _ => TokenSinkResult::Continue,
                };
            }
            Token::TagToken(tag) => page.end(&tag),
            Token::CharacterTokens(text) => page.say(&text),
            Token::NullCharacterToken => page.mistakes.push(format!("line {line}: a null character")),
            Token::ParseError(error) => page.mistakes.push(format!("line {line}: {error}")),
            Token::DoctypeToken(_) | Token::CommentToken(_) | Token::EOFToken => {}
        }
        TokenSinkResult::Continue
    }
}
