alter table data_complaints
  alter user_id drop not null,
  add channel text not null default 'account',
  add name text,
  add email text,
  add other_contact text,
  add constraint a_complaint_has_a_known_channel
    check (channel in ('account', 'website', 'phone', 'letter', 'email', 'social', 'in_person')),
  add constraint a_complaint_is_of_a_person
    check (num_nonnulls(user_id, name) = 1 and (name is null or num_nonnulls(email, other_contact) > 0));
comment on column data_complaints.channel is 'How it reached the studio; account: by a member who was signed in.';
comment on column data_complaints.name is 'Of a person without an account, like email and other_contact; null for a member.';
