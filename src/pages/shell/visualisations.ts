import { useLocation } from 'react-router'
import { useFacts } from '#content/web/facts.tsx'
import type { Place } from '#pictures/rules.ts'
import { CLASSES, CONTACT } from './site-links.ts'

/** The places whose pictures each page shows. */
const SHOWN: Readonly<Record<string, readonly Place[]>> = {
  '/': ['hero', 'closeUp', 'oneOnOne', 'duo', 'gallery2', 'gallery4', 'gallery5', 'gallery7'],
  '/about': [
    'portrait',
    ...(['gallery1', 'gallery2', 'gallery3', 'gallery4', 'gallery5', 'gallery6', 'gallery7'] as const),
  ],
  [CLASSES]: ['oneOnOne', 'duo', 'closing'],
  [CONTACT]: ['gallery1'],
  '/auth': ['gallery1'],
}
const ALL = Object.values(SHOWN).flat()

/**
 * Whether a page shows pictures that are not the owner's. The blog does; a page without any counts the whole site's.
 */
export function useHasVisualisations(): boolean {
  const { pathname } = useLocation()
  const { pictures: own } = useFacts()
  return pathname.startsWith('/blog') || (SHOWN[pathname] ?? ALL).some((place) => !own[place])
}
