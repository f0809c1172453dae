import { zodResolver } from '@hookform/resolvers/zod'
import { RedeemForm, SendForm } from '../contract.ts'

// Validation of members' forms, loaded after the form itself.
export const redeem = zodResolver(RedeemForm)
export const send = zodResolver(SendForm)
