/** Said to members who come to the owner's pages, and where they are led. */
export const DENIED = { title: 'Access Denied', description: 'Admin access required', to: '/' }
