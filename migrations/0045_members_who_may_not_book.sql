-- Whom the studio does not serve for now: they see what they have and can cancel, and neither book nor buy.
alter table users
  add column blocked_at timestamptz,
  add column blocked_reason text,
  add constraint who_is_blocked_is_told_why check ((blocked_at is null) = (blocked_reason is null)),
  add constraint admins_are_not_blocked check (not is_admin or blocked_at is null);
comment on column users.blocked_reason is 'In the owner''s words; part of what the member can download.';
