-- Figures count classes that were deleted since, which classes_by_day leaves out.
create index classes_by_date on classes (date);
create index credits_written_off on credit_ledger (pass_id) include (credits) where kind = 'expiry';
create index health_reads_by_date on health_reads (at desc, id desc);
