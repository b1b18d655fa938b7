DROP TABLE chat_search;
