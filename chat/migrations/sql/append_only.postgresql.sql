CREATE FUNCTION chat_accesslogentry_insert() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN IF EXISTS (SELECT 1 FROM chat_accesslogentry WHERE (id = new.id)) THEN RAISE EXCEPTION 'rows of chat_accesslogentry stay as they are'; END IF; RETURN new; END $$;
CREATE TRIGGER chat_accesslogentry_insert BEFORE INSERT ON chat_accesslogentry
    FOR EACH ROW EXECUTE FUNCTION chat_accesslogentry_insert();

CREATE FUNCTION chat_accesslogentry_update() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN RAISE EXCEPTION 'rows of chat_accesslogentry stay as they are'; END $$;
CREATE TRIGGER chat_accesslogentry_update BEFORE UPDATE ON chat_accesslogentry
    FOR EACH ROW EXECUTE FUNCTION chat_accesslogentry_update();

CREATE FUNCTION chat_accesslogentry_delete() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN RAISE EXCEPTION 'rows of chat_accesslogentry stay as they are'; END $$;
CREATE TRIGGER chat_accesslogentry_delete BEFORE DELETE ON chat_accesslogentry
    FOR EACH ROW EXECUTE FUNCTION chat_accesslogentry_delete();

CREATE FUNCTION chat_accesslogentry_truncate() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN RAISE EXCEPTION 'rows of chat_accesslogentry stay as they are'; END $$;
CREATE TRIGGER chat_accesslogentry_truncate BEFORE TRUNCATE ON chat_accesslogentry
    FOR EACH STATEMENT EXECUTE FUNCTION chat_accesslogentry_truncate();

CREATE FUNCTION chat_staffaction_insert() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN IF EXISTS (SELECT 1 FROM chat_staffaction WHERE (id = new.id)) THEN RAISE EXCEPTION 'rows of chat_staffaction stay as they are'; END IF; RETURN new; END $$;
CREATE TRIGGER chat_staffaction_insert BEFORE INSERT ON chat_staffaction
    FOR EACH ROW EXECUTE FUNCTION chat_staffaction_insert();

CREATE FUNCTION chat_staffaction_update() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN RAISE EXCEPTION 'rows of chat_staffaction stay as they are'; END $$;
CREATE TRIGGER chat_staffaction_update BEFORE UPDATE ON chat_staffaction
    FOR EACH ROW EXECUTE FUNCTION chat_staffaction_update();

CREATE FUNCTION chat_staffaction_delete() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN RAISE EXCEPTION 'rows of chat_staffaction stay as they are'; END $$;
CREATE TRIGGER chat_staffaction_delete BEFORE DELETE ON chat_staffaction
    FOR EACH ROW EXECUTE FUNCTION chat_staffaction_delete();

CREATE FUNCTION chat_staffaction_truncate() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN RAISE EXCEPTION 'rows of chat_staffaction stay as they are'; END $$;
CREATE TRIGGER chat_staffaction_truncate BEFORE TRUNCATE ON chat_staffaction
    FOR EACH STATEMENT EXECUTE FUNCTION chat_staffaction_truncate();

CREATE FUNCTION chat_auditseal_insert() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN IF EXISTS (SELECT 1 FROM chat_auditseal WHERE (id = new.id) OR (day = new.day)) THEN RAISE EXCEPTION 'rows of chat_auditseal stay as they are'; END IF; RETURN new; END $$;
CREATE TRIGGER chat_auditseal_insert BEFORE INSERT ON chat_auditseal
    FOR EACH ROW EXECUTE FUNCTION chat_auditseal_insert();

CREATE FUNCTION chat_auditseal_update() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN RAISE EXCEPTION 'rows of chat_auditseal stay as they are'; END $$;
CREATE TRIGGER chat_auditseal_update BEFORE UPDATE ON chat_auditseal
    FOR EACH ROW EXECUTE FUNCTION chat_auditseal_update();

CREATE FUNCTION chat_auditseal_delete() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN RAISE EXCEPTION 'rows of chat_auditseal stay as they are'; END $$;
CREATE TRIGGER chat_auditseal_delete BEFORE DELETE ON chat_auditseal
    FOR EACH ROW EXECUTE FUNCTION chat_auditseal_delete();

CREATE FUNCTION chat_auditseal_truncate() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN RAISE EXCEPTION 'rows of chat_auditseal stay as they are'; END $$;
CREATE TRIGGER chat_auditseal_truncate BEFORE TRUNCATE ON chat_auditseal
    FOR EACH STATEMENT EXECUTE FUNCTION chat_auditseal_truncate();
