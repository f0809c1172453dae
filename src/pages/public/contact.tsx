import carFront from '@lucide/icons/icons/car-front'
import mail from '@lucide/icons/icons/mail'
import mapPin from '@lucide/icons/icons/map-pin'
import phone from '@lucide/icons/icons/phone'
import trainFront from '@lucide/icons/icons/train-front'
import { lazy, type ReactNode, Suspense } from 'react'
import { pageMeta } from '#content/seo.ts'
import type { MetaArguments } from '#content/site.ts'
import { exerciseGym } from '#content/structured-data.ts'
import { EmailLink, PhoneLink, Postcode, Together, useFacts } from '#content/web/facts.tsx'
import { usePicture } from '#content/web/shown-pictures.ts'
import { addressLine } from '#facts/rules.ts'
import { hoursInWords } from '#facts/rules-hours.ts'
import { studio } from '#studio.ts'
import { timetableApi } from '#timetable/web/api.ts'
import { ClosedDays } from '#timetable/web/weekly-timetable.tsx'
import { ButtonLink } from '#ui/button.tsx'
import { Disclosure } from '#ui/disclosure.tsx'
import { Icon, type IconData } from '#ui/icon.tsx'
import { Picture } from '#ui/picture.tsx'
import { Spinner } from '#ui/spinner.tsx'
import { loadedData, loadQueries } from '../shell/queries.tsx'
import { CLASSES, CONTACT } from '../shell/site-links.ts'
import { PageIntro } from './parts.tsx'

export const loader = () => loadQueries((queries) => queries.fetchQuery(timetableApi.listClosures.queryOptions()))
export const clientLoader = () => null

export const meta = (args: MetaArguments) =>
  pageMeta(args, ({ name, address }) => ({
    title: `Contact the studio in ${address.town}`,
    description: `Address, phone, hours and how to find ${name} in ${address.town}.`,
    path: CONTACT,
    data: (site) => [exerciseGym(site, loadedData(args.loaderData, timetableApi.listClosures.queryOptions()))],
  }))

export default function Contact() {
  const { address, visit, hours } = useFacts()
  return (
    <>
      <PageIntro
        crumb="Contact"
        title="Come and find us"
        lede="Ring or write; during a session the phone is in a drawer, so we will call you back. If you would like to see the room, ring first."
      />
      <div className="wrap grid gap-[clamp(32px,6vw,96px)] pb-section md:grid-cols-[minmax(0,6fr)_minmax(0,5fr)]">
        <div>
          <ul className="border-t border-line">
            <Fact icon={mapPin} title="Address">
              <a
                className="link"
                href={`https://www.openstreetmap.org/search?query=${encodeURIComponent(addressLine(address))}`}
                rel="noopener"
                target="_blank"
              >
                <Together>{`${address.street},`}</Together> {address.town}, <Together>{address.county}</Together>{' '}
                <Postcode>{address.postcode}</Postcode>
              </a>
              <p className="mt-1 text-base text-ink-soft">{visit.door}</p>
            </Fact>
            <Fact icon={phone} title="Phone">
              <PhoneLink />
            </Fact>
            <Fact icon={mail} title="Email">
              <EmailLink />
            </Fact>
            <Fact icon={carFront} title="Parking">
              {visit.parking}
            </Fact>
            <Fact icon={trainFront} title="Transport">
              {visit.transport}
            </Fact>
          </ul>
          <h2 className="display-3 mt-12">Studio hours</h2>
          <table className="mt-4 w-full border-collapse">
            <tbody>
              {hoursInWords(hours).map(({ days, times }) => (
                <tr key={days} className="border-b border-line">
                  <th scope="row" className="py-3.5 text-left font-normal text-ink-soft">
                    {days}
                  </th>
                  <td className="figure py-3.5 text-right text-[1.375rem]">{times ?? 'Closed'}</td>
                </tr>
              ))}
            </tbody>
          </table>
          <p className="mt-3 text-base text-ink-mute">Classes also run outside these hours.</p>
          <ClosedDays />
          <div className="mt-10 flex flex-wrap gap-3">
            <ButtonLink to="/auth">Book a Class</ButtonLink>
            <ButtonLink to={CLASSES} variant="secondary">
              View Classes
            </ButtonLink>
          </div>
        </div>
        <div className="aspect-[4/5] self-start overflow-hidden rounded-card bg-sand md:sticky md:top-28">
          <Picture of={usePicture('gallery1')} sizes="(min-width: 1376px) 560px, (min-width: 768px) 42vw, 92vw" />
        </div>
      </div>
      <div className="wrap grid gap-x-[clamp(32px,6vw,96px)] gap-y-12 border-t border-line py-section md:grid-cols-[minmax(0,6fr)_minmax(0,5fr)]">
        <Access />
        <YourData />
      </div>
    </>
  )
}

const TEXT = 'mt-2 max-w-[65ch] text-ink-soft'

/** The studio's access and the accessibility statement of the site. */
function Access() {
  const { access } = useFacts()
  return (
    <section id="access" aria-labelledby="access-title" className="scroll-mt-28">
      <h2 id="access-title" className="display-3">
        Access
      </h2>
      <h3 className="title mt-6">The studio</h3>
      <p className={`${TEXT} whitespace-pre-line wrap-anywhere`}>{access}</p>
      <h3 className="title mt-8">This website</h3>
      <p className={TEXT}>
        We want everyone to be able to use this website. It meets the Web Content Accessibility Guidelines (WCAG) 2.2 at
        level AA, apart from the gaps below. We test every screen with three automated checkers, on a phone’s width and
        at 200% zoom, and walk through booking and paying with the keyboard alone.
      </p>
      <p className={TEXT}>What we know does not work well yet:</p>
      <ul className="mt-2 grid max-w-[65ch] list-disc gap-1 pl-5 text-ink-soft">
        <li>Receipts and statements in PDF have no headings for screen readers. We’ll email you the same as text.</li>
        <li>The card payment provider makes the form for card details at the checkout, and we cannot change it.</li>
        <li>No one who uses a screen reader every day has tested the site for us yet.</li>
      </ul>
      <p className={TEXT}>
        If something stops you, or you need something in another format, write to <EmailLink /> or call <PhoneLink />.
        We’ll reply within 5 working days, and can always book for you by phone. If you are not happy with our answer,
        the{' '}
        <a href="https://www.equalityadvisoryservice.com" className="link">
          Equality Advisory and Support Service
        </a>{' '}
        can advise you.
      </p>
    </section>
  )
}

const Complain = lazy(() => import('#privacy/web/complain-without-account.tsx'))

/** A complaint about personal data does not need an account. */
function YourData() {
  return (
    <section id="data" aria-labelledby="data-title" className="scroll-mt-28">
      <h2 id="data-title" className="display-3">
        Your data
      </h2>
      <p className={TEXT}>
        If you think we have handled your data wrongly, tell us, with or without an account. We’ll confirm it by email
        straight away, and answer within {studio.policies.complaintDays} days. You can also go to the{' '}
        <a href="https://ico.org.uk/make-a-complaint/" className="link">
          Information Commissioner’s Office
        </a>{' '}
        at any time.
      </p>
      <Disclosure label="Make a complaint about your data" className="mt-4 border-b pb-2">
        <Suspense fallback={<Spinner label="Loading..." visible />}>
          <div className="pt-2 pb-4">
            <Complain />
          </div>
        </Suspense>
      </Disclosure>
    </section>
  )
}

function Fact({ icon, title, children }: { icon: IconData; title: string; children: ReactNode }) {
  return (
    <li className="grid grid-cols-[36px_1fr] gap-x-3 border-b border-line py-5">
      <Icon of={icon} size={22} className="mt-0.5 text-sage" />
      <div>
        <h2 className="text-small text-ink-mute">{title}</h2>
        <div className="text-body">{children}</div>
      </div>
    </li>
  )
}
