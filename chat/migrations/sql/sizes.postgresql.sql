CREATE FUNCTION chat_size_added() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    UPDATE chat_conversation SET stored_bytes = stored_bytes + bytes + messages * 500
    FROM (
        SELECT conversation_id, sum(octet_length(text) + octet_length(reasoning)) AS bytes,
            count(*) AS messages
        FROM added GROUP BY conversation_id
    ) AS change WHERE id = conversation_id;
    RETURN NULL;
END $$;

CREATE FUNCTION chat_size_removed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    UPDATE chat_conversation SET stored_bytes = stored_bytes - bytes - messages * 500
    FROM (
        SELECT conversation_id, sum(octet_length(text) + octet_length(reasoning)) AS bytes,
            count(*) AS messages
        FROM removed GROUP BY conversation_id
    ) AS change WHERE id = conversation_id;
    RETURN NULL;
END $$;

CREATE FUNCTION chat_size_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    UPDATE chat_conversation SET stored_bytes = stored_bytes + octet_length(new.text) + octet_length(new.reasoning)
        - octet_length(old.text) - octet_length(old.reasoning) WHERE id = new.conversation_id;
    RETURN NULL;
END $$;

CREATE TRIGGER chat_size_insert AFTER INSERT ON chat_message
    REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION chat_size_added();
CREATE TRIGGER chat_size_delete AFTER DELETE ON chat_message
    REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION chat_size_removed();
CREATE TRIGGER chat_size_update AFTER UPDATE OF text, reasoning ON chat_message
    FOR EACH ROW WHEN ((old.text, old.reasoning) IS DISTINCT FROM (new.text, new.reasoning))
    EXECUTE FUNCTION chat_size_changed();
