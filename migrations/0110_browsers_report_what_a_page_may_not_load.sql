-- What browsers blocked under a page's content security policy. No visitor is recorded, and addresses only by their origin.
create table csp_reports (
  id bigint generated always as identity primary key,
  at timestamptz not null,
  page text not null,
  directive text not null,
  blocked text not null,
  constraint csp_reports_have_no_queries check (page !~ '[?#]' and length(page) <= 200 and length(directive) <= 50),
  constraint csp_reports_name_origins_only check (blocked ~ '^([a-z-]+|[a-z][a-z0-9+.-]*://[^/?#]+)$' and length(blocked) <= 200)
);
create index csp_reports_by_time on csp_reports (at);
