create table vouchers (
  id integer generated always as identity primary key,
  purchase_id integer constraint a_purchase_has_one_voucher unique references purchases on delete set null,
  -- While its payment is open: sold_at is null, and nobody has the code.
  payment_intent_id text constraint a_payment_has_one_voucher unique references payment_intents on delete set null,
  buyer_id text references users on delete set null,
  package_id integer not null references packages,
  class_count integer not null check (class_count > 0),
  validity_months integer not null check (validity_months > 0),
  amount_pence integer not null check (amount_pence >= 0),
  code_hmac bytea not null constraint a_code_belongs_to_one_voucher unique,
  sealed_code bytea not null,
  last_four text not null check (length(last_four) = 4),
  recipient_name text not null,
  recipient_email text,
  message text,
  send_at timestamptz,
  sent_at timestamptz,
  sold_at timestamptz,
  expires_at timestamptz not null,
  redeemed_at timestamptz,
  redeemed_by text references users on delete set null,
  pass_id integer constraint a_pass_comes_from_one_voucher unique references passes on delete set null,
  voided_at timestamptz,
  frozen_at timestamptz,
  reminded_at timestamptz,
  constraint an_unpaid_voucher_is_worth_nothing check (sold_at is not null or coalesce(redeemed_at, sent_at, frozen_at) is null),
  constraint a_redeemed_voucher_is_not_void check (redeemed_at is null or voided_at is null),
  constraint only_a_redeemed_voucher_has_a_member check (coalesce(redeemed_by, pass_id::text) is null or redeemed_at is not null),
  constraint a_voucher_expires_after_its_sale check (expires_at > sold_at)
);
create index vouchers_of_a_buyer on vouchers (buyer_id);
create index vouchers_redeemed_by_a_member on vouchers (redeemed_by);
create index vouchers_of_a_package on vouchers (package_id);
create index vouchers_to_send on vouchers (send_at) where sent_at is null and send_at is not null;
create index vouchers_outstanding on vouchers (expires_at) where redeemed_at is null and voided_at is null;
comment on table vouchers is 'Passes bought for another person; the pass is made when the code is redeemed.';
comment on column vouchers.code_hmac is 'Under the newest health data key: finds the voucher of a code.';
comment on column vouchers.sealed_code is 'Sealed by the vault, so that the code can be emailed again.';
comment on column vouchers.frozen_at is 'Since when a dispute about the payment keeps it from being redeemed.';

-- The ledger names the voucher that a pass was made from.
do $$
declare rule text;
begin
  select pg_get_expr(conbin, conrelid) into rule from pg_constraint
    where conrelid = 'credit_ledger'::regclass and conname = 'a_line_moves_the_right_way';
  alter table credit_ledger drop constraint a_line_moves_the_right_way;
  execute format(
    'alter table credit_ledger add constraint a_line_moves_the_right_way check (
      case when kind = ''voucher'' then credits > 0 else %s end
    ) not valid', rule);
end $$;
alter table credit_ledger validate constraint a_line_moves_the_right_way;
