-- All that change a chat wait until its size is counted.
LOCK TABLE chat_conversation IN EXCLUSIVE MODE;
CREATE FUNCTION chat_size_call_added() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    UPDATE chat_conversation SET stored_bytes = stored_bytes + bytes
    FROM (SELECT chat_message.conversation_id, sum(octet_length(added.arguments) + octet_length(added.result) + octet_length(added.refusal) + 300) AS bytes
    FROM added JOIN chat_message ON chat_message.id = added.message_id GROUP BY 1) AS change WHERE id = conversation_id;
    RETURN NULL;
END $$;
CREATE FUNCTION chat_size_call_removed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    UPDATE chat_conversation SET stored_bytes = stored_bytes - bytes
    FROM (SELECT chat_message.conversation_id, sum(octet_length(removed.arguments) + octet_length(removed.result) + octet_length(removed.refusal) + 300) AS bytes
    FROM removed JOIN chat_message ON chat_message.id = removed.message_id GROUP BY 1) AS change WHERE id = conversation_id;
    RETURN NULL;
END $$;
CREATE FUNCTION chat_size_call_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    UPDATE chat_conversation SET stored_bytes = stored_bytes + (octet_length(new.arguments) + octet_length(new.result) + octet_length(new.refusal) + 300) - (octet_length(old.arguments) + octet_length(old.result) + octet_length(old.refusal) + 300)
    WHERE id = (SELECT conversation_id FROM chat_message WHERE id = new.message_id);
    RETURN NULL;
END $$;
CREATE TRIGGER chat_size_call_insert AFTER INSERT ON chat_storedtoolcall
    REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION chat_size_call_added();
CREATE TRIGGER chat_size_call_delete AFTER DELETE ON chat_storedtoolcall
    REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION chat_size_call_removed();
CREATE TRIGGER chat_size_call_update AFTER UPDATE OF arguments, result, refusal ON chat_storedtoolcall
    FOR EACH ROW WHEN ((old.arguments, old.result, old.refusal) IS DISTINCT FROM (new.arguments, new.result, new.refusal))
    EXECUTE FUNCTION chat_size_call_changed();

CREATE FUNCTION chat_size_sources_added() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    UPDATE chat_conversation SET stored_bytes = stored_bytes + bytes
    FROM (SELECT chat_message.conversation_id, sum(coalesce((SELECT sum(120
        + octet_length(coalesce(passage ->> 'name', ''))
        + octet_length(coalesce(passage ->> 'address', '')))
        FROM jsonb_array_elements(added.passages) AS passage), 0)) AS bytes
    FROM added JOIN chat_message ON chat_message.id = added.message_id GROUP BY 1) AS change WHERE id = conversation_id;
    RETURN NULL;
END $$;
CREATE FUNCTION chat_size_sources_removed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    UPDATE chat_conversation SET stored_bytes = stored_bytes - bytes
    FROM (SELECT chat_message.conversation_id, sum(coalesce((SELECT sum(120
        + octet_length(coalesce(passage ->> 'name', ''))
        + octet_length(coalesce(passage ->> 'address', '')))
        FROM jsonb_array_elements(removed.passages) AS passage), 0)) AS bytes
    FROM removed JOIN chat_message ON chat_message.id = removed.message_id GROUP BY 1) AS change WHERE id = conversation_id;
    RETURN NULL;
END $$;
CREATE FUNCTION chat_size_sources_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    UPDATE chat_conversation SET stored_bytes = stored_bytes + (coalesce((SELECT sum(120
        + octet_length(coalesce(passage ->> 'name', ''))
        + octet_length(coalesce(passage ->> 'address', '')))
        FROM jsonb_array_elements(new.passages) AS passage), 0)) - (coalesce((SELECT sum(120
        + octet_length(coalesce(passage ->> 'name', ''))
        + octet_length(coalesce(passage ->> 'address', '')))
        FROM jsonb_array_elements(old.passages) AS passage), 0))
    WHERE id = (SELECT conversation_id FROM chat_message WHERE id = new.message_id);
    RETURN NULL;
END $$;
CREATE TRIGGER chat_size_sources_insert AFTER INSERT ON chat_messagesources
    REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION chat_size_sources_added();
CREATE TRIGGER chat_size_sources_delete AFTER DELETE ON chat_messagesources
    REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION chat_size_sources_removed();
CREATE TRIGGER chat_size_sources_update AFTER UPDATE OF passages ON chat_messagesources
    FOR EACH ROW WHEN ((old.passages) IS DISTINCT FROM (new.passages))
    EXECUTE FUNCTION chat_size_sources_changed();

CREATE FUNCTION chat_size_summary_added() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    UPDATE chat_conversation SET stored_bytes = stored_bytes + bytes
    FROM (SELECT conversation_id, sum(octet_length(added.text)) AS bytes
    FROM added GROUP BY 1) AS change WHERE id = conversation_id;
    RETURN NULL;
END $$;
CREATE FUNCTION chat_size_summary_removed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    UPDATE chat_conversation SET stored_bytes = stored_bytes - bytes
    FROM (SELECT conversation_id, sum(octet_length(removed.text)) AS bytes
    FROM removed GROUP BY 1) AS change WHERE id = conversation_id;
    RETURN NULL;
END $$;
CREATE FUNCTION chat_size_summary_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    UPDATE chat_conversation SET stored_bytes = stored_bytes + (octet_length(new.text)) - (octet_length(old.text))
    WHERE id = new.conversation_id;
    RETURN NULL;
END $$;
CREATE TRIGGER chat_size_summary_insert AFTER INSERT ON chat_chatsummary
    REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION chat_size_summary_added();
CREATE TRIGGER chat_size_summary_delete AFTER DELETE ON chat_chatsummary
    REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION chat_size_summary_removed();
CREATE TRIGGER chat_size_summary_update AFTER UPDATE OF text ON chat_chatsummary
    FOR EACH ROW WHEN ((old.text) IS DISTINCT FROM (new.text))
    EXECUTE FUNCTION chat_size_summary_changed();

CREATE FUNCTION chat_size_generation_added() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    UPDATE chat_conversation SET stored_bytes = stored_bytes + number * 600
    FROM (
    SELECT conversation_id, sum(greatest(present - 1, 0) - greatest(former - 1, 0)) AS number
    FROM (
        SELECT message_id, (SELECT count(*) FROM chat_generation AS every
            WHERE every.message_id = changed.message_id) AS present, (SELECT count(*) FROM chat_generation AS every
            WHERE every.message_id = changed.message_id) - count(*) AS former
        FROM added AS changed GROUP BY message_id
    ) AS counts JOIN chat_message ON chat_message.id = message_id GROUP BY conversation_id
) AS change
    WHERE id = conversation_id AND number <> 0;
    RETURN NULL;
END $$;
CREATE TRIGGER chat_size_generation_insert AFTER INSERT ON chat_generation
    REFERENCING NEW TABLE AS added
    FOR EACH STATEMENT EXECUTE FUNCTION chat_size_generation_added();

CREATE FUNCTION chat_size_generation_removed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    UPDATE chat_conversation SET stored_bytes = stored_bytes + number * 600
    FROM (
    SELECT conversation_id, sum(greatest(present - 1, 0) - greatest(former - 1, 0)) AS number
    FROM (
        SELECT message_id, (SELECT count(*) FROM chat_generation AS every
            WHERE every.message_id = changed.message_id) AS present, (SELECT count(*) FROM chat_generation AS every
            WHERE every.message_id = changed.message_id) + count(*) AS former
        FROM removed AS changed GROUP BY message_id
    ) AS counts JOIN chat_message ON chat_message.id = message_id GROUP BY conversation_id
) AS change
    WHERE id = conversation_id AND number <> 0;
    RETURN NULL;
END $$;
CREATE TRIGGER chat_size_generation_delete AFTER DELETE ON chat_generation
    REFERENCING OLD TABLE AS removed
    FOR EACH STATEMENT EXECUTE FUNCTION chat_size_generation_removed();

-- Count what was there before.
UPDATE chat_conversation SET stored_bytes = real.bytes FROM (
            SELECT chat_conversation.id AS conversation_id, coalesce(sizes.bytes, 0) AS bytes
            FROM chat_conversation LEFT JOIN (SELECT conversation_id, sum(bytes) AS bytes FROM (SELECT conversation_id, sum(octet_length(chat_message.text) + octet_length(chat_message.reasoning) + 500) AS bytes
    FROM chat_message GROUP BY 1 UNION ALL SELECT chat_message.conversation_id, sum(octet_length(chat_storedtoolcall.arguments) + octet_length(chat_storedtoolcall.result) + octet_length(chat_storedtoolcall.refusal) + 300) AS bytes
    FROM chat_storedtoolcall JOIN chat_message ON chat_message.id = chat_storedtoolcall.message_id GROUP BY 1 UNION ALL SELECT chat_message.conversation_id, sum(coalesce((SELECT sum(120
        + octet_length(coalesce(passage ->> 'name', ''))
        + octet_length(coalesce(passage ->> 'address', '')))
        FROM jsonb_array_elements(chat_messagesources.passages) AS passage), 0)) AS bytes
    FROM chat_messagesources JOIN chat_message ON chat_message.id = chat_messagesources.message_id GROUP BY 1 UNION ALL SELECT conversation_id, sum(octet_length(chat_chatsummary.text)) AS bytes
    FROM chat_chatsummary GROUP BY 1 UNION ALL 
SELECT chat_message.conversation_id, (sum(attempts.number) - count(*)) * 600 AS bytes
FROM (SELECT message_id, count(*) AS number FROM chat_generation GROUP BY 1) AS attempts
JOIN chat_message ON chat_message.id = attempts.message_id GROUP BY 1
) AS sizes GROUP BY 1) AS sizes
            ON sizes.conversation_id = chat_conversation.id
        ) AS real
        WHERE real.conversation_id = chat_conversation.id AND stored_bytes <> real.bytes;
