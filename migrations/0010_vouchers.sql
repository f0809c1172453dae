-- Passes bought for another person. Redeeming the code makes the pass.
create table vouchers (
  id integer generated always as identity primary key,
  buyer_id text references users on delete set null, -- null once the buyer is erased
  -- While the payment is open, sold_at is null and nobody has the code.
  payment_intent_id text constraint a_payment_has_one_voucher unique references payment_intents on delete set null,
  purchase_id integer constraint a_purchase_has_one_voucher unique references purchases on delete set null,
  sold_at timestamptz,
  -- As they were when it was bought.
  package_id integer not null references packages, package_name text not null,
  class_count integer not null check (class_count > 0), validity_months integer not null check (validity_months > 0),
  amount_pence integer not null check (amount_pence >= 0),
  code_hmac bytea not null constraint a_code_belongs_to_one_voucher unique, -- finds the voucher of a code
  sealed_code bytea not null, -- for emailing the code again
  last_four text not null check (length(last_four) = 4),
  recipient_name text not null,
  recipient_email text, -- null if the buyer prints the voucher
  message text,
  send_at timestamptz, sent_at timestamptz,
  reminded_at timestamptz, -- when the buyer was reminded that it expires
  expires_at timestamptz not null,
  frozen_at timestamptz, -- since when a dispute about the payment keeps it from being redeemed
  voided_at timestamptz,
  redeemed_at timestamptz,
  redeemed_by text references users on delete set null, -- null once that member is erased
  pass_id integer constraint a_pass_comes_from_one_voucher unique references passes on delete set null,
  constraint a_voucher_expires_after_its_sale check (expires_at > sold_at),
  constraint an_unpaid_voucher_is_worth_nothing
    check (sold_at is not null or coalesce(redeemed_at, sent_at, frozen_at) is null),
  constraint a_redeemed_voucher_is_not_void check (redeemed_at is null or voided_at is null),
  constraint only_a_redeemed_voucher_has_a_member
    check (coalesce(redeemed_by, pass_id::text) is null or redeemed_at is not null)
);
create index vouchers_of_a_buyer on vouchers (buyer_id);
create index vouchers_redeemed_by_a_member on vouchers (redeemed_by);
create index vouchers_of_a_package on vouchers (package_id);
create index vouchers_to_send on vouchers (send_at) where sent_at is null and send_at is not null;
create index vouchers_outstanding on vouchers (expires_at) where redeemed_at is null and voided_at is null;
