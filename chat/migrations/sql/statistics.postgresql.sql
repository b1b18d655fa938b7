CREATE FUNCTION chat_conversationstats_begin() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO chat_conversationstats (
        conversation_id, owner_id, updated_at, is_hidden,
        model_names, states, tokens, cost_usd, good, bad
    ) VALUES (new.id, new.owner_id, new.updated_at, new.purge_after IS NOT NULL, ' ', 0, 0, 0, 0, 0);
    RETURN NULL;
END $$;
CREATE TRIGGER chat_conversationstats_begin AFTER INSERT ON chat_conversation
    FOR EACH ROW EXECUTE FUNCTION chat_conversationstats_begin();

CREATE FUNCTION chat_conversationstats_follow() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    UPDATE chat_conversationstats SET owner_id = new.owner_id, updated_at = new.updated_at,
        is_hidden = new.purge_after IS NOT NULL WHERE conversation_id = new.id;
    RETURN NULL;
END $$;
CREATE TRIGGER chat_conversationstats_follow AFTER UPDATE OF owner_id, updated_at, purge_after ON chat_conversation
    FOR EACH ROW EXECUTE FUNCTION chat_conversationstats_follow();

CREATE FUNCTION chat_conversationstats_answer() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    UPDATE chat_conversationstats SET
        model_names = CASE WHEN replace(model_names, ' ' || new.model || ' ', '') = model_names
            THEN model_names || new.model || ' ' ELSE model_names END,
        states = states | CASE new.state WHEN 'complete' THEN 1 WHEN 'stopped' THEN 2
            WHEN 'interrupted' THEN 4 WHEN 'failed' THEN 8 ELSE 0 END,
        tokens = tokens + coalesce(new.total_tokens, 0), cost_usd = cost_usd + coalesce(new.cost_usd, 0)
    WHERE conversation_id = (SELECT conversation_id FROM chat_message WHERE id = new.message_id);
    RETURN NULL;
END $$;
CREATE TRIGGER chat_conversationstats_answer AFTER INSERT ON chat_generation
    FOR EACH ROW EXECUTE FUNCTION chat_conversationstats_answer();

CREATE FUNCTION chat_conversationstats_ending() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    UPDATE chat_conversationstats SET
        model_names = CASE WHEN replace(model_names, ' ' || new.model || ' ', '') = model_names
            THEN model_names || new.model || ' ' ELSE model_names END,
        states = states | CASE new.state WHEN 'complete' THEN 1 WHEN 'stopped' THEN 2
            WHEN 'interrupted' THEN 4 WHEN 'failed' THEN 8 ELSE 0 END,
        tokens = tokens + coalesce(new.total_tokens, 0) - coalesce(old.total_tokens, 0), cost_usd = cost_usd + coalesce(new.cost_usd, 0) - coalesce(old.cost_usd, 0)
    WHERE conversation_id = (SELECT conversation_id FROM chat_message WHERE id = new.message_id);
    RETURN NULL;
END $$;
CREATE TRIGGER chat_conversationstats_ending AFTER UPDATE OF model, state, total_tokens, cost_usd ON chat_generation
    FOR EACH ROW EXECUTE FUNCTION chat_conversationstats_ending();

CREATE FUNCTION chat_conversationstats_rated() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    UPDATE chat_conversationstats SET
        good = good + CASE WHEN new.value > 0 THEN 1 ELSE 0 END,
        bad = bad + CASE WHEN new.value < 0 THEN 1 ELSE 0 END
    WHERE conversation_id = (SELECT conversation_id FROM chat_message WHERE id = new.message_id);
    RETURN NULL;
END $$;
CREATE TRIGGER chat_conversationstats_rated AFTER INSERT ON chat_rating
    FOR EACH ROW EXECUTE FUNCTION chat_conversationstats_rated();

CREATE FUNCTION chat_conversationstats_unrated() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    UPDATE chat_conversationstats SET
        good = good - CASE WHEN old.value > 0 THEN 1 ELSE 0 END,
        bad = bad - CASE WHEN old.value < 0 THEN 1 ELSE 0 END
    WHERE conversation_id = (SELECT conversation_id FROM chat_message WHERE id = old.message_id);
    RETURN NULL;
END $$;
CREATE TRIGGER chat_conversationstats_unrated AFTER DELETE ON chat_rating
    FOR EACH ROW EXECUTE FUNCTION chat_conversationstats_unrated();

CREATE FUNCTION chat_conversationstats_rerated() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    UPDATE chat_conversationstats SET
        good = good - CASE WHEN old.value > 0 THEN 1 ELSE 0 END,
        bad = bad - CASE WHEN old.value < 0 THEN 1 ELSE 0 END
    WHERE conversation_id = (SELECT conversation_id FROM chat_message WHERE id = old.message_id);
    UPDATE chat_conversationstats SET
        good = good + CASE WHEN new.value > 0 THEN 1 ELSE 0 END,
        bad = bad + CASE WHEN new.value < 0 THEN 1 ELSE 0 END
    WHERE conversation_id = (SELECT conversation_id FROM chat_message WHERE id = new.message_id);
    RETURN NULL;
END $$;
CREATE TRIGGER chat_conversationstats_rerated AFTER UPDATE OF value ON chat_rating
    FOR EACH ROW EXECUTE FUNCTION chat_conversationstats_rerated();
