CREATE FUNCTION chat_staffrating_insert() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN IF EXISTS (SELECT 1 FROM chat_staffrating WHERE (id = new.id)) THEN RAISE EXCEPTION 'rows of chat_staffrating stay as they are'; END IF; RETURN new; END $$;
CREATE TRIGGER chat_staffrating_insert BEFORE INSERT ON chat_staffrating
    FOR EACH ROW EXECUTE FUNCTION chat_staffrating_insert();

CREATE FUNCTION chat_staffrating_update() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN RAISE EXCEPTION 'rows of chat_staffrating stay as they are'; END $$;
CREATE TRIGGER chat_staffrating_update BEFORE UPDATE ON chat_staffrating
    FOR EACH ROW EXECUTE FUNCTION chat_staffrating_update();

CREATE FUNCTION chat_staffrating_delete() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN RAISE EXCEPTION 'rows of chat_staffrating stay as they are'; END $$;
CREATE TRIGGER chat_staffrating_delete BEFORE DELETE ON chat_staffrating
    FOR EACH ROW EXECUTE FUNCTION chat_staffrating_delete();

CREATE FUNCTION chat_staffrating_truncate() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN RAISE EXCEPTION 'rows of chat_staffrating stay as they are'; END $$;
CREATE TRIGGER chat_staffrating_truncate BEFORE TRUNCATE ON chat_staffrating
    FOR EACH STATEMENT EXECUTE FUNCTION chat_staffrating_truncate();
