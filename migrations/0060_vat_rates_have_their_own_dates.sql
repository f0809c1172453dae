-- VAT was one value of the facts, true from the edit on. It becomes a list of periods with start dates, so that a rate can
-- be corrected. Each version keeps what was known by then: a period from the London day of each change.
with changes as (
  select version, changed_at, nullif(facts -> 'vat', 'null') as vat,
         lag(nullif(facts -> 'vat', 'null')) over (order by version) as before
    from studio_facts
), periods as (
  select version, (changed_at at time zone 'Europe/London')::date as day, vat
    from changes where vat is distinct from before
)
update studio_facts f set facts = (f.facts - 'vat') || jsonb_build_object('vatPeriods', coalesce((
  select jsonb_agg(jsonb_build_object('from', known.day, 'vat', known.vat) order by known.day) from (
    select distinct on (day) day, vat from periods where version <= f.version order by day, version desc
  ) as known), '[]'));
