import { reactRouter } from '@react-router/dev/vite'
import tailwindcss from '@tailwindcss/vite'
import { defineConfig } from 'vite'
import { content } from '#content/build/content-plugin.ts'
import { inlineScripts } from './scripts/lib/inline-scripts.ts'
import { passwordDictionary } from './scripts/lib/password-dictionary.ts'

// The API compares the Host header with Origin before it accepts a write, so the browser's is passed on.
const api = { target: process.env.API_ORIGIN ?? `http://127.0.0.1:${process.env.PORT ?? 3000}`, changeOrigin: false }

/**
 * Modules that the same pages share, a file for each group of pages: few larger files compress better than many small ones, and
 * each file that a page preloads costs a phone some milliseconds. A group takes along what its modules import.
 */
const SHARED = {
  public: 'content/web/(pictures|shown-pictures)|pages/public/parts|ui/picture|icons/(clock|map-pin|plus|users)\\.',
  prices: 'foundation/money|packages/web/packages',
  instants: 'foundation/instants|timetable/web/api',
  timetable: 'timetable/(rules|web/classes)\\.',
  offer: 'timetable/web/free-places|pages/public/single-price',
  questions: 'pages/public/questions\\.|facts/numbers',
  icons: 'icons/(calendar-days|check|heart-pulse|shield-check)\\.',
  lists: 'ui/query-view|pages/unfinished/unfinished',
  passes: 'passes/web/passes|payments/web/kept-order',
  member:
    'accounts/web/members-only|pages/member/member-area|booking/web/(api|bookings)\\.|payments/web/(api|begin-request)|ui/badge',
}
const shared = Object.entries(SHARED).map(([name, files]) => ({
  name,
  test: new RegExp(`/(${files})`.replaceAll('/', '[\\\\/]')),
}))

export default defineConfig({
  clearScreen: false,
  plugins: [tailwindcss(), content(), passwordDictionary(), inlineScripts(), reactRouter()],
  build: {
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    // Every page has these.
    modulePreload: {
      resolveDependencies: (_, files) => files.filter((file) => !/(framework|shell|rolldown-runtime)-/.test(file)),
    },
  },
  environments: {
    // The bundle includes its packages, so production installs no browser libraries.
    ssr: {
      resolve: { noExternal: process.env.NODE_ENV === 'production' ? true : undefined },
      build: { cssMinify: true, rolldownOptions: { input: 'src/entry.pages.ts' } },
    },
    client: {
      build: {
        rolldownOptions: {
          output: {
            codeSplitting: {
              groups: [
                { name: 'framework', test: /node_modules[\\/](react|react-dom|scheduler|react-router|@tanstack)[\\/]/ },
                // The 404 page is rarely shown.
                {
                  name: 'shell',
                  test: /src[\\/](root\.tsx|entry\.client\.tsx|ui[\\/]breadcrumb|pages[\\/]shell[\\/](?!not-found))/,
                },
                ...shared,
              ],
            },
          },
        },
      },
    },
  },
  // Vite would discover these one page at a time and reload the page.
  optimizeDeps: {
    // Icons are imported one by one.
    exclude: ['@lucide/icons'],
    include: [
      'react',
      'react-dom',
      'react-dom/client',
      'react/jsx-dev-runtime',
      'react-router',
      'react-router/dom',
      '@tanstack/react-query',
      'react-hook-form',
      '@hookform/resolvers/zod',
      'zod',
      '@radix-ui/react-dialog',
      '@radix-ui/react-toast',
      '@stripe/react-stripe-js',
      '@stripe/stripe-js/pure',
      'recharts',
      'temporal-polyfill/global',
    ],
  },
  server: {
    watch: { ignored: ['**/build/**', '**/data/**', '**/screenshots/**'] },
    port: 5173,
    proxy: { '/api': api, '/sandbox': api, '/dev/mailbox': api },
  },
})
