-- The price of a package from a day on (London). The rule reads both prices, so it holds from midnight; a nightly job moves the
-- next price into price_pence.
alter table packages add column next_price_pence integer;
alter table packages add column next_price_from date;
alter table packages add constraint a_next_price_has_a_day
  check ((next_price_pence is null) = (next_price_from is null) and next_price_pence >= 30);
-- When a planned price came into force; null once the price is edited. Payments started before keep their price for a while.
alter table packages add column came_into_force_at timestamptz;
