"""Reranking: how well each of some texts answers a question."""
