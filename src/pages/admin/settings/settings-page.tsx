import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { factsApi } from '#facts/web/api.ts'
import { History } from '#insights/web/history.tsx'
import { QueryView } from '#ui/query-view.tsx'
import { SettingsForm } from './settings-form.tsx'

/** The settings, and who changed them when. */
export default function SettingsPage() {
  const studio = useQuery({ ...factsApi.readOwnStudio.queryOptions(), staleTime: 0 })
  return (
    <div className="max-w-[900px]">
      <Link to="/admin" className="link inline-flex min-h-11 items-center">
        Back to Admin
      </Link>
      <h1 className="mt-2 font-serif text-[2.25rem]/[1.05] tracking-[-0.01em]">Studio settings</h1>
      <p className="mt-3 max-w-[38em] text-ink-soft">
        Changes reach every page and email within a minute. Pass prices are in Packages, closed days in Classes, who
        signed in and who looked at what in the{' '}
        <Link to="/admin?view=security" className="link">
          security record
        </Link>
        .
      </p>
      <QueryView query={studio} failed="The settings could not be loaded.">
        {(read) => <SettingsForm read={read} onLoad={async () => (await studio.refetch()).data} />}
      </QueryView>
      <div hidden={studio.isPending}>
        <History subject="studio:facts" />
      </div>
    </div>
  )
}
