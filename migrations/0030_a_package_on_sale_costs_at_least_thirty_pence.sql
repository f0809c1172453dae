-- Not valid: packages that were put on sale for nothing stay as they are until they are saved the next time.
alter table packages
  add constraint a_package_on_sale_costs_at_least_thirty_pence check (price_pence >= 30 or not is_active) not valid;
