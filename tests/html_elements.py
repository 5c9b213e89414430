"""The elements of a page of HTML."""

import html.parser

VOID = {"meta", "link", "img", "br", "input", "hr"}


class Elements(html.parser.HTMLParser):
    """The elements of a page with their attributes, and the text that each kind holds; all must be closed in order."""

    def __init__(self, text):
        super().__init__()
        self.tags, self.open, self.text = [], [], {}
        self.feed(text)
        assert self.open == []

    def handle_starttag(self, tag, attributes):
        self.tags.append((tag, dict(attributes)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open[-1:] == [tag], f"</{tag}> closes {self.open[-1:]}"
        self.open.pop()

    def handle_data(self, data):
        if self.open:
            self.text.setdefault(self.open[-1], []).append(data)
