declare module '@lucide/icons/icons/*' {
  const icon: import('./icon.tsx').IconData
  export default icon
}
