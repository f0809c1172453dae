import calendarDays from '@lucide/icons/icons/calendar-days'
import check from '@lucide/icons/icons/check'
import heartPulse from '@lucide/icons/icons/heart-pulse'
import shieldCheck from '@lucide/icons/icons/shield-check'
import users from '@lucide/icons/icons/users'
import { type CSSProperties, useState } from 'react'
import { useNavigate } from 'react-router'
import { requireAccount } from '#accounts/web/book-now.tsx'
import { useSession } from '#accounts/web/session.ts'
import { pageMeta } from '#content/seo.ts'
import type { MetaArguments } from '#content/site.ts'
import { faqPage, passOffers } from '#content/structured-data.ts'
import { EmailLink, PhoneLink, useFacts } from '#content/web/facts.tsx'
import type { PublicFacts } from '#facts/contract.ts'
import { fillPolicyNumbers } from '#facts/numbers.ts'
import { errorMessage } from '#foundation/call.ts'
import { formatMoney, formatPrice } from '#foundation/money.ts'
import type { Package } from '#packages/contract.ts'
import { checkoutOf, classes, packagesApi, usePackages, validity } from '#packages/web/packages.ts'
import { usePasses } from '#passes/web/passes.ts'
import { keepCode } from '#payments/web/kept-order.ts'
import { studio } from '#studio.ts'
import { ArrowLink, Button, ButtonLink } from '#ui/button.tsx'
import { dialogButton } from '#ui/dialog-button.tsx'
import { Icon } from '#ui/icon.tsx'
import { EmptyState } from '#ui/query-view.tsx'
import { Skeleton, Spinner } from '#ui/spinner.tsx'
import { keepPackage } from '../resume/resumable.ts'
import { loadedData, loadQueries } from '../shell/queries.tsx'
import { CLASSES, CONTACT } from '../shell/site-links.ts'
import { PageIntro } from './parts.tsx'
import { type Question, Questions } from './questions.tsx'

export const loader = () => loadQueries((queries) => queries.fetchQuery(packagesApi.listPackages.queryOptions()))
export const clientLoader = () => null

export const meta = (args: MetaArguments) =>
  pageMeta(args, ({ name, address }) => ({
    title: 'Prices and class passes',
    description: `Class passes for one-on-one and duo reformer Pilates at ${name}, ${address.town}.`,
    path: '/pricing',
    data: (site) => [
      faqPage(pricingQuestions(site.facts)),
      passOffers(site, loadedData(args.loaderData, packagesApi.listPackages.queryOptions()) ?? []),
    ],
  }))

export default function Pricing() {
  return (
    <>
      <PageIntro
        isShort
        crumb="Pricing"
        title={
          <>
            Simple prices, <em>no membership</em>
          </>
        }
        lede={`Choose a pass, book when it suits you. Every credit pays for any class on the calendar. ${studio.session.credit}`}
      />
      <section aria-labelledby="packages" className="wrap pb-section">
        <h2 id="packages" className="sr-only">
          Class passes
        </h2>
        <Packages />
      </section>
      <Voucher />
      <Benefits />
      <Questions title="Before you buy" items={pricingQuestions(useFacts())} />
    </>
  )
}

function Packages() {
  const navigate = useNavigate()
  const { isAuthenticated, isLoading } = useSession()
  const packages = usePackages()
  const passes = usePasses()
  // The prerendered list is for visitors. A member sees a spinner until their passes are known.
  const [hasCome] = useState(packages.data !== undefined)
  const isWaiting = isAuthenticated && passes.isPending

  if (packages.isError) {
    return (
      <EmptyState title={errorMessage(packages.error, 'The packages could not be loaded.')}>
        <Button variant="secondary" onClick={() => packages.refetch()}>
          Try again
        </Button>
      </EmptyState>
    )
  }
  if (packages.isPending || (!hasCome && (isLoading || isWaiting))) {
    return (
      <div className="relative grid min-h-dvh content-start gap-[clamp(16px,1.4vw,24px)] sm:grid-cols-2 lg:grid-cols-3 xl:grid-cols-5">
        <Waiting />
        {['first', 'second', 'third', 'fourth', 'fifth'].map((card) => (
          <Skeleton key={card} className="h-[28rem]" />
        ))}
      </div>
    )
  }

  const held = new Set(passes.data?.map((pass) => pass.packageId))
  const offered = packages.data.filter((sold) => !(isAuthenticated && sold.purchaseOncePerUser && held.has(sold.id)))
  if (packages.data.length === 0) return <EmptyState title="No packages are on sale at the moment" />
  if (offered.length === 0) {
    return (
      <EmptyState title="You've purchased all available packages!">
        <p className="max-w-[28.1em] text-ink-soft">Please contact the studio if you need extra credits.</p>
        <div className="flex flex-wrap items-center justify-center gap-x-8 gap-y-4">
          <ButtonLink to="/booking">Book a Class</ButtonLink>
          <ArrowLink to={CONTACT}>Contact the studio</ArrowLink>
        </div>
      </EmptyState>
    )
  }
  const waitingLook = isWaiting ? 'invisible' : ''
  const columns: CSSProperties & Record<'--columns', number> = { '--columns': columnsFor(offered.length) }
  const select = (sold: Package, isGift: boolean) => {
    keepCode(new URLSearchParams(location.search).get('code'))
    if (isAuthenticated) return navigate(checkoutOf(sold, isGift))
    keepPackage(sold.id, isGift)
    requireAccount(`the ${sold.name}`)
  }
  return (
    <div className="relative">
      {(isLoading || isWaiting) && <Waiting ifMember={isLoading} />}
      <ul
        style={columns}
        className={`${isLoading ? 'if-visitor' : waitingLook} grid gap-[clamp(16px,1.4vw,24px)] sm:grid-cols-2 md:grid-cols-6 xl:grid-cols-[repeat(var(--columns),minmax(0,1fr))]`}
      >
        {offered.map((sold, i) => (
          <li
            key={sold.id}
            className={`row-span-8 grid grid-rows-subgrid gap-y-0 sm:max-md:odd:last:col-span-2 ${i < offered.length - widerAmong(offered.length) ? 'md:max-xl:col-span-2' : 'md:max-xl:col-span-3'}`}
          >
            <PackageCard sold={sold} onSelect={select} />
          </li>
        ))}
      </ul>
      <NotSure />
    </div>
  )
}

/** @param props.ifMember shown only if there seems to be a session */
function Waiting({ ifMember = false }: { ifMember?: boolean }) {
  return (
    <div className={`${ifMember ? 'if-member' : ''} absolute inset-x-0 top-24 z-10`}>
      <Spinner label="Loading packages" />
    </div>
  )
}

/** Up to five in a row, so that the last row never holds a single card. */
function columnsFor(cards: number): number {
  if (cards <= 5) return Math.max(3, cards)
  return cards % 4 === 0 ? 4 : 3
}

/** How many cards at the end are wider, so that no row has a gap. */
function widerAmong(cards: number): number {
  if (cards === 1) return 0
  return [0, 4, 2][cards % 3] ?? 0
}

function NotSure() {
  return (
    <p className="mt-10 text-ink-soft">
      Not sure which one? <PhoneLink /> or <EmailLink />
    </p>
  )
}

const Redeem = dialogButton(() => import('#vouchers/web/redeem-dialog.tsx'), 'Redeem a voucher')

/** The address on a voucher's card leads here. */
function Voucher() {
  const { isAuthenticated, isLoading } = useSession()
  return (
    <section id="voucher" aria-labelledby="voucher-title" className="wrap scroll-mt-24 pb-section">
      <div className="flex flex-wrap items-center justify-between gap-x-10 gap-y-5 border-y border-line py-8">
        <div className="max-w-[32em]">
          <h2 id="voucher-title" className="title">
            A gift voucher?
          </h2>
          <p className="mt-1 text-ink-soft">
            {isAuthenticated
              ? 'Enter its code, and the pass is yours from today.'
              : 'Log in or create an account, then redeem it on your dashboard. The pass is yours from that day.'}
          </p>
        </div>
        {isAuthenticated ? (
          <Redeem />
        ) : (
          <Button variant="secondary" className={isLoading ? 'if-visitor' : ''} onClick={() => requireAccount()}>
            Redeem a voucher
          </Button>
        )}
      </div>
    </section>
  )
}

const BENEFITS = [
  {
    icon: users,
    title: 'Two people at most',
    text: 'Your teacher sees every movement you make, and says what she sees.',
  },
  {
    icon: calendarDays,
    title: 'Book when you like',
    text: 'A credit is good for any class on the calendar, from your phone, in a minute.',
  },
  {
    icon: heartPulse,
    title: 'Planned around your health',
    text: 'A short questionnaire tells us what to look after before you are through the door.',
  },
  {
    icon: shieldCheck,
    title: 'Fair when plans change',
    text: `Cancel more than ${studio.policies.lateCancellationMinutes / 60} hours before and your credit comes back.`,
  },
]

function Benefits() {
  return (
    <section className="bg-linen py-section">
      <div className="wrap">
        <h2 className="display-2 max-w-[7.4em]">What every pass includes</h2>
        <ul className="mt-[clamp(32px,4vw,64px)] grid gap-x-12 border-t border-line sm:grid-cols-2">
          {BENEFITS.map(({ icon, title, text }) => (
            <li
              key={title}
              className="grid grid-cols-[40px_1fr] content-start gap-x-3 gap-y-1 border-b border-line py-6"
            >
              <Icon of={icon} size={24} className="mt-1 text-sage" />
              <h3 className="title">{title}</h3>
              <p className="col-start-2 text-ink-soft">{text}</p>
            </li>
          ))}
        </ul>
        <p className="mt-10 flex flex-wrap gap-x-8 gap-y-3">
          <ArrowLink to={`${CLASSES}#timetable`}>See the schedule</ArrowLink>
          <ArrowLink to={CONTACT}>Contact us</ArrowLink>
        </p>
      </div>
    </section>
  )
}

/** Shown on the page and in its structured data. */
const pricingQuestions = ({ policies }: PublicFacts): readonly Question[] => [
  {
    question: 'How does a pass work?',
    answer:
      'A pass holds credits. One credit books one place in any class. If you hold two passes, the one that runs out first is used first.',
  },
  {
    question: 'How long is it valid?',
    answer:
      'Each card shows how many months, counted from the day you buy. Classes have to take place within them; unused credits then expire.',
  },
  {
    question: 'What if I have to cancel a class?',
    answer: fillPolicyNumbers(policies.cancelling),
  },
  {
    question: 'Can I have my money back?',
    answer: fillPolicyNumbers(policies.refunds),
  },
  {
    question: 'How do I pay?',
    answer:
      'By card, on this site. A card payment provider takes the payment; your card number never reaches us. Your pass is active straight away, and we’ll email you a receipt.',
  },
  {
    question: 'Is there a membership or a subscription?',
    answer:
      'No. You need an account, because we have to know who is coming and what to look after. The account costs nothing, and nothing renews automatically.',
  },
]

/** Agreed with the studio. */
const MOST_POPULAR_CLASSES = 8

/** A package in eight rows that it shares with its neighbours. */
function PackageCard({ sold, onSelect }: { sold: Package; onSelect: (sold: Package, isGift: boolean) => void }) {
  const popular = sold.classCount === MOST_POPULAR_CLASSES
  const quiet = popular ? 'text-stone' : 'text-ink-mute'
  return (
    <article
      aria-label={sold.name}
      className={`row-span-8 grid grid-rows-subgrid gap-y-0 rounded-card p-[clamp(22px,1.9vw,36px)] shadow-rest max-sm:px-5 max-sm:py-4 ${popular ? 'bg-sage-dark text-paper' : 'bg-white'}`}
    >
      <div className="peer flex min-h-8 flex-wrap items-center gap-2 max-sm:empty:hidden">
        {popular && <span className="badge bg-sage-tint text-sage-dark">Most Popular</span>}
        {sold.isLimitedOffer && <span className="badge bg-clay-tint text-clay">Limited time offer</span>}
      </div>
      <h3 className="mt-3 max-sm:mt-1 max-sm:peer-empty:mt-0 text-body/snug font-medium">{sold.name}</h3>
      <p className="figure mt-2 text-[2.5rem]/none max-sm:mt-1 sm:text-[clamp(3.25rem,4.4vw,4.25rem)]/none tracking-[-0.02em]">
        {formatPrice(sold.price)}
      </p>
      <p className={`mt-2 text-small max-sm:mt-1 ${quiet}`}>
        {formatMoney(Number(sold.price) / sold.classCount)} per class <span className="sm:block">for one person</span>
      </p>
      <p className={`mt-4 text-small max-sm:mt-2 ${popular ? 'text-stone' : 'text-ink-soft'}`}>
        {sold.description || `${classes(sold.classCount)} for ultimate flexibility`}
      </p>
      <ul
        className={`mt-5 mb-5 grid gap-2 border-t pt-5 text-small max-sm:mt-3 max-sm:mb-4 max-sm:flex max-sm:flex-wrap max-sm:gap-x-2.5 max-sm:gap-y-0.5 max-sm:pt-3 ${popular ? 'border-white/16 text-stone' : 'border-line text-ink-soft'}`}
      >
        {[
          `${classes(sold.classCount)} included`,
          validity(sold.validityMonths),
          sold.maxParticipants === 1 ? 'One-on-one classes' : 'For one-on-one and duo classes',
        ].map((fact) => (
          <li key={fact} className="flex gap-3 leading-even max-sm:gap-1.5">
            <Icon of={check} size={18} className={`mt-[3px] flex-none ${popular ? 'text-sage-tint' : 'text-sage'}`} />
            {fact}
          </li>
        ))}
      </ul>
      <Button
        variant={popular ? 'light' : 'secondary'}
        className="w-full self-end"
        onClick={() => onSelect(sold, false)}
      >
        Select Package <span className="sr-only">{sold.name}</span>
      </Button>
      {!sold.purchaseOncePerUser && (
        <button
          type="button"
          className="mt-1 -mb-3 min-h-11 text-small underline underline-offset-4"
          onClick={() => onSelect(sold, true)}
        >
          Give as a gift <span className="sr-only">{sold.name}</span>
        </button>
      )}
    </article>
  )
}
