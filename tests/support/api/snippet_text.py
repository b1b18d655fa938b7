"""The snippets of the page of API keys, with the address of a running site."""

from chat.web.api_keys import snippets
from tests.support.api.api_client import MODEL
from tests.support.api.api_site import ApiSite


def snippet_text(site: ApiSite, name: str, model: str = MODEL) -> str:
    """Return a snippet as the page of `site` shows it."""
    found = next(each for each in snippets.snippets_for(model) if each.id == name)
    return found.text.replace(snippets.site_address(), site.server.url)
