import { reactRouter } from '@react-router/dev/vite'
import tailwindcss from '@tailwindcss/vite'
import { defineConfig } from 'vite'
import { content } from '#content/build/content-plugin.ts'
import { inlineScripts } from './scripts/lib/inline-scripts.ts'
import { passwordDictionary } from './scripts/lib/password-dictionary.ts'

// The API compares the Host header with Origin before it accepts a write, so the browser's is passed on.
const api = { target: process.env.API_ORIGIN ?? `http://127.0.0.1:${process.env.PORT ?? 3000}`, changeOrigin: false }

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
      'temporal-polyfill/global',
    ],
  },
  server: {
    watch: { ignored: ['**/build/**', '**/data/**', '**/screenshots/**'] },
    port: 5173,
    proxy: { '/api': api, '/sandbox': api, '/dev/mailbox': api },
  },
})
