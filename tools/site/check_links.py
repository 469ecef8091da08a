#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-only
"""Checks that every link and picture of a built site leads to a file of the site, and to an existing place on that
page.

    tools/site/check_links.py SITE     prints broken ones; exit code 1 if there are any

mkdocs itself checks files that Markdown links lead to, but neither their `#places` nor links in HTML.
"""
import html.parser
import pathlib
import sys
import urllib.parse


class Page(html.parser.HTMLParser):
    def __init__(self, text):
        super().__init__()
        self.places, self.links = {"", "__search", "__drawer"}, set()
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        attributes = dict(attrs)
        for key in ("id", "name"):
            if attributes.get(key):
                self.places.add(attributes[key])
        for key in ("href", "src"):
            if attributes.get(key) and tag != "link":
                self.links.add(attributes[key])


def broken(site):
    pages = {file: Page(file.read_text(encoding="utf-8")) for file in sorted(site.rglob("*.html"))}
    for file, page in pages.items():
        if file.name == "404.html":
            continue  # its links start at the root of the web server
        for link in sorted(page.links):
            parts = urllib.parse.urlsplit(link)
            if parts.scheme or parts.netloc:
                continue
            target = (file.parent / urllib.parse.unquote(parts.path)).resolve() if parts.path else file
            if target.is_dir():
                target /= "index.html"
            if not target.is_file():
                yield file, link, "no such file"
            elif target in pages and urllib.parse.unquote(parts.fragment) not in pages[target].places:
                yield file, link, "no such place on that page"


def main():
    if len(sys.argv) != 2 or not pathlib.Path(sys.argv[1], "index.html").is_file():
        sys.exit("usage: tools/site/check_links.py SITE, a folder that mkdocs has built")
    site, count = pathlib.Path(sys.argv[1]).resolve(), 0
    for file, link, why in broken(site):
        print(f"{file.relative_to(site)}: {link}: {why}", file=sys.stderr)
        count += 1
    sys.exit(1 if count else 0)


main()
