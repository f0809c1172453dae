alter table bookings add column reminded_at timestamptz;
create index bookings_to_remind_of on bookings (class_id) where status = 'confirmed' and reminded_at is null;
comment on column bookings.reminded_at is 'When the mail that reminds of the class was queued; a job that runs twice finds it set.';
