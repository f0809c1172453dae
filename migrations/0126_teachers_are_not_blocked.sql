-- A blocked teacher could still read the day's list.
update users set is_teacher = false where is_teacher and blocked_at is not null;
alter table users add constraint teachers_are_not_blocked check (not is_teacher or blocked_at is null);
