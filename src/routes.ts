import { index, layout, type RouteConfig, route } from '@react-router/dev/routes'
import { written } from './public-pages.ts'
import { ALIASES } from './site-map.ts'

export default [
  index('pages/public/home.tsx'),
  route('about', 'pages/public/about.tsx'),
  route('harrogate-reformer-pilates-classes', 'pages/public/classes.tsx'),
  route('pricing', 'pages/public/pricing.tsx'),
  route('contact_harrogate_reformer_pilates', 'pages/public/contact.tsx'),
  route('blog', 'pages/public/blog.tsx'),
  layout(
    'pages/public/article.tsx',
    written('articles').map((slug) => route(`blog/${slug}`, `content/articles/${slug}.mdx`)),
  ),
  layout(
    'pages/public/legal-page.tsx',
    written('legal').map((slug) => route(slug, `content/legal/${slug}.mdx`)),
  ),
  ...Object.keys(ALIASES).map((path) => route(path.slice(1), 'pages/public/alias.tsx', { id: `alias${path}` })),
  route('auth', 'pages/public/auth.tsx'),
  route('email-verified', 'pages/public/email-verified.tsx'),
  layout('pages/member/member-area.tsx', [
    route('booking', 'pages/member/booking.tsx'),
    route('dashboard', 'pages/member/dashboard.tsx'),
    route('health', 'pages/member/health.tsx'),
    route('checkout', 'pages/member/checkout.tsx'),
  ]),
  route('admin', 'pages/admin/admin.tsx'),
  route('dev/ui', 'pages/dev/ui.tsx'),
  route('*', 'pages/public/not-found.tsx'),
] satisfies RouteConfig
