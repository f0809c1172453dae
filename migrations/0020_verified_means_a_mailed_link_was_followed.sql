-- Registration with verification off marked addresses as verified in the very instant of signing up; a link that was
-- followed marked them later. The marks of that instant proved nothing and go. An account that `npm run admin` promoted
-- may carry a mark of the command's own: those cannot be told from followed links and stay.
update users set email_verified_at = null where email_verified_at = created_at;
comment on column users.email_verified_at is 'When a one-time link that only the address''s mailbox, or the machine''s owner, was given was first followed. Registering sets nothing here.';
