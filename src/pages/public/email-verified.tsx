import { privateMeta } from '#content/seo.ts'
import type { MetaArguments } from '#content/site.ts'
import { Breadcrumb } from '#ui/breadcrumb.tsx'
import { ButtonLink } from '#ui/button.tsx'
import { ArchTick } from '#ui/mark.tsx'

export const meta = (args: MetaArguments) =>
  privateMeta(args, 'Email verified', 'Your email address has been verified, and you can log in to your account.')

export default function EmailVerified() {
  return (
    <div className="wrap pt-6 lg:pt-10">
      <Breadcrumb items={[{ label: 'Email verified' }]} />
      <div className="grid min-h-[70vh] place-items-center pb-16 text-center">
        <div>
          <ArchTick size={72} className="mx-auto text-sage" />
          <h1 className="display-2 mt-6">Email verified</h1>
          <p className="lede mx-auto mt-4 max-w-[24.2em]">
            Your email address has been verified successfully. You can now log in to your account.
          </p>
          <ButtonLink to="/auth" className="mt-8">
            Continue to Login
          </ButtonLink>
        </div>
      </div>
    </div>
  )
}
