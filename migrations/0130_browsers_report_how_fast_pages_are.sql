create table vitals (
  id bigint generated always as identity primary key,
  at timestamptz not null,
  page text not null check (page ~ '^/[^?#]*$' and length(page) <= 200),
  metric text not null constraint a_vital_is_known check (metric in ('LCP', 'INP', 'CLS')),
  value real not null check (value >= 0)
);
create index vitals_by_time on vitals (at);
comment on table vitals is 'How fast pages were in visitors'' browsers: milliseconds (LCP, INP) or a score (CLS). No visitor is recorded.';
