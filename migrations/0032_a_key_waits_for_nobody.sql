-- A key is written before anything else of its deed. As a reference it would hold the user's row against whoever erases
-- that user and holds the classes that the deed needs: a ring. Erasing a user forgets their keys itself.
alter table idempotency_keys drop constraint idempotency_keys_user_id_fkey;
