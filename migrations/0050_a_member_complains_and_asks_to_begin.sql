create table data_complaints (
  id integer generated always as identity primary key,
  user_id text not null references users on delete cascade,
  complaint text not null,
  made_at timestamptz not null,
  answer text,
  answered_by text,
  answered_at timestamptz,
  constraint an_answer_is_whole check (num_nulls(answer, answered_by, answered_at) in (0, 3))
);
create index data_complaints_of_a_member on data_complaints (user_id, id);
create index data_complaints_to_answer on data_complaints (made_at) where answered_at is null;
comment on table data_complaints is 'What members complain of about their data, in their words, and what the studio answered. While one is open retention erases nothing of its member.';
comment on column data_complaints.answered_by is 'The admin''s id, without a foreign key: the answer outlives the account.';

-- Consumer Contracts Regulations 2013, regulation 36: the consumer's express request to begin within the cancellation period.
alter table payment_intents add column begin_requested_at timestamptz;
alter table purchases add column begin_requested_at timestamptz;
comment on column payment_intents.begin_requested_at is 'Ticked at the checkout and not unticked again; the purchase takes it over.';
comment on column purchases.begin_requested_at is 'When the member asked expressly to begin within the cancellation period; null: never. Printed on the receipt.';
