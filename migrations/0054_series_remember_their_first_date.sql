-- The date from which a series counts its other dates, so that a class moved on its own does not change the rhythm.
alter table class_series add column first_date date;

-- For existing series, the first date of the weekday, fortnight or day of the month that most of their classes share.
-- Ties go to the class that was created first.
with phases as (
  select classes.id, series_id, date,
    case repeat_frequency
      when 'monthly' then extract(day from date)::int
      when 'weekly' then (date - date '2000-01-03') % 7
      else (date - date '2000-01-03') % 14
    end as phase
  from classes join class_series on class_series.id = series_id
),
usual as (
  select distinct on (series_id) series_id, min(date) as first_date
  from phases group by series_id, phase
  order by series_id, count(*) desc, min(id)
)
update class_series set first_date = usual.first_date from usual where usual.series_id = class_series.id;
update class_series set first_date = repeat_until_date where first_date is null;

alter table class_series alter column first_date set not null;
