import { z } from 'zod'
import { endpoint } from '#foundation/endpoint.ts'
import {
  AmountInput,
  AmountText,
  AmountTyped,
  DateText,
  Flag,
  IfUpdatedAt,
  InstantText,
  optionalText,
  Paging,
  PathId,
  requiredName,
  withDefault,
} from '#foundation/fields.ts'
import { commonRefusals, refusals } from '#foundation/refusal.ts'
import { MIN_PRICE_PENCE } from './rules.ts'

const COSTS_TOO_LITTLE = `A package costs at least ${MIN_PRICE_PENCE} pence`
export const packageRefusals = refusals({
  package_not_found: [404, 'Package not found.'],
  next_price_not_ahead: [400, 'Please choose a day after today. To change the price now, change the price itself.'],
})

export const Package = z
  .object({
    id: z.int(),
    name: z.string(),
    description: z.string().nullable(),
    price: AmountText,
    classCount: z.int(),
    validityMonths: z.int(),
    maxParticipants: z.int(),
    isLimitedOffer: z.boolean(),
    purchaseOncePerUser: z.boolean(),
    isActive: z.boolean(),
    createdAt: InstantText,
    updatedAt: InstantText,
  })
  .meta({ id: 'Package' })
export type Package = z.output<typeof Package>

/** `isForImports`: holds the credits of imported members; never sold. */
export const AdminPackage = Package.extend({
  isForImports: z.boolean(),
  /** A planned price and its first day. */
  nextPrice: z.object({ price: AmountText, from: z.iso.date() }).nullable(),
}).meta({ id: 'AdminPackage' })
export type AdminPackage = z.output<typeof AdminPackage>

export const listPackages = endpoint('GET /api/packages', {
  who: 'anyone',
  summary: 'Packages on sale, smallest first',
  response: z.array(Package),
  isVersioned: true,
})

export const listAllPackages = endpoint('GET /api/admin/packages', {
  summary: 'All packages, hidden ones included, smallest first',
  query: Paging,
  response: z.array(AdminPackage),
})

const wholeNumber = (minimum: number, maximum: number, message: string) =>
  z.int(message).min(minimum, message).max(maximum, `Please enter at most ${maximum}`)

const places = z
  .int('Please choose 1 or 2 participants')
  .min(1, 'Please choose 1 or 2 participants')
  .max(2, 'Please choose 1 or 2 participants')
const NO_PRICE = 'Price is required'
const price = AmountInput(NO_PRICE, { pence: MIN_PRICE_PENCE, message: COSTS_TOO_LITTLE })
const NO_DAY = 'Please enter the first day of the new price'

/** At most 1,000 classes and 120 months: our own limits, which keep dates and totals sane. */
export const PackageForm = z.object({
  name: requiredName('Name is required'),
  description: optionalText(),
  price,
  /** From `from` on (London), a day after today. */
  nextPrice: z.object({ price, from: DateText(NO_DAY) }).nullish(),
  classCount: wholeNumber(1, 1000, 'Class count must be at least 1'),
  validityMonths: wholeNumber(1, 120, 'Validity must be at least 1 month'),
  maxParticipants: withDefault(places, 2),
  isLimitedOffer: withDefault(Flag, false),
  purchaseOncePerUser: withDefault(Flag, false),
})
export type PackageForm = z.output<typeof PackageForm>

/** Without a price there is no next price, whatever the day. */
const NextPriceTyped = z.object({ price: z.string(), from: z.string() }).superRefine((typed, { addIssue }) => {
  if (typed.price.trim() === '') return
  const read = AmountTyped(NO_PRICE).safeParse(typed.price)
  if (!read.success) addIssue({ code: 'custom', path: ['price'], message: read.error.issues[0]?.message ?? NO_PRICE })
  if (typed.from === '') addIssue({ code: 'custom', path: ['from'], message: NO_DAY })
})

/** The package dialog's fields are texts and numbers that are always present. */
export const PackageDialogForm = z.object({
  name: PackageForm.shape.name,
  description: z.string().max(5000, 'Please use at most 5000 characters'),
  price: AmountTyped(NO_PRICE),
  nextPrice: NextPriceTyped,
  classCount: PackageForm.shape.classCount,
  validityMonths: PackageForm.shape.validityMonths,
  maxParticipants: places,
  isLimitedOffer: Flag,
  purchaseOncePerUser: Flag,
})
export type PackageDialogForm = z.output<typeof PackageDialogForm>

export const createPackage = endpoint('POST /api/packages', {
  who: 'admin',
  summary: 'Create a package; it is on sale at once',
  body: PackageForm,
  response: AdminPackage,
  status: 201,
  refusals: [packageRefusals.next_price_not_ahead],
})

export const editPackage = endpoint('PUT /api/packages/:id', {
  who: 'admin',
  summary: 'Edit a package; only what is sent changes; passes already held keep what was bought',
  params: PathId,
  body: z.object({
    name: PackageForm.shape.name.optional(),
    description: optionalText(),
    price: price.optional(),
    nextPrice: PackageForm.shape.nextPrice,
    classCount: PackageForm.shape.classCount.optional(),
    validityMonths: PackageForm.shape.validityMonths.optional(),
    maxParticipants: places.optional(),
    isLimitedOffer: Flag.optional(),
    purchaseOncePerUser: Flag.optional(),
    ifUpdatedAt: IfUpdatedAt,
  }),
  response: AdminPackage,
  refusals: [packageRefusals.package_not_found, packageRefusals.next_price_not_ahead, commonRefusals.edit_conflict],
})

export const deletePackage = endpoint('DELETE /api/packages/:id', {
  who: 'admin',
  summary: 'Delete a package; passes already held stay valid',
  params: PathId,
  says: 'Package deleted successfully',
  refusals: [packageRefusals.package_not_found],
})

export const togglePackageVisibility = endpoint('PATCH /api/admin/packages/:id/toggle-visibility', {
  summary: 'Show a hidden package or hide a shown one',
  params: PathId,
  response: AdminPackage,
  refusals: [packageRefusals.package_not_found],
})
