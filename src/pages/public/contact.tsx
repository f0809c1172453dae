import carFront from '@lucide/icons/icons/car-front'
import mail from '@lucide/icons/icons/mail'
import mapPin from '@lucide/icons/icons/map-pin'
import phone from '@lucide/icons/icons/phone'
import trainFront from '@lucide/icons/icons/train-front'
import type { ReactNode } from 'react'
import { pageMeta } from '#content/seo.ts'
import type { MetaArguments } from '#content/site.ts'
import { exerciseGym } from '#content/structured-data.ts'
import { EmailLink, PhoneLink, Postcode, Together, useFacts } from '#content/web/facts.tsx'
import { usePicture } from '#content/web/shown-pictures.ts'
import { addressLine, hoursInWords } from '#facts/rules.ts'
import { timetableApi } from '#timetable/web/api.ts'
import { ClosedDays } from '#timetable/web/weekly-timetable.tsx'
import { ButtonLink } from '#ui/button.tsx'
import { Icon, type IconData } from '#ui/icon.tsx'
import { Picture } from '#ui/picture.tsx'
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
    </>
  )
}

function Fact({ icon, title, children }: { icon: IconData; title: string; children: ReactNode }) {
  return (
    <li className="grid grid-cols-[36px_1fr] gap-x-3 border-b border-line py-5">
      <Icon of={icon} size={22} className="mt-0.5 text-sage" />
      <div>
        <h2 className="text-[0.9375rem] text-ink-mute">{title}</h2>
        <div className="text-[1.0625rem]">{children}</div>
      </div>
    </li>
  )
}
