CREATE VIRTUAL TABLE chat_search USING fts5(words, tokenize = "ascii tokenchars '_'");
