import { lazy } from 'react'

/** Dialogs of the tabs for whoever else opens them, each with its code when it opens; stand them in a `Suspense`. */
export const CreateClassDialog = lazy(async () => ({
  default: (await import('./classes/create-class-dialog.tsx')).CreateClassDialog,
}))
export const EditClassDialog = lazy(async () => ({
  default: (await import('./classes/edit-class-dialog.tsx')).EditClassDialog,
}))
export const DeleteClassDialog = lazy(async () => ({
  default: (await import('./classes/delete-class-dialog.tsx')).DeleteClassDialog,
}))
export const CreatePackageDialog = lazy(async () => ({
  default: (await import('./packages/package-dialog.tsx')).CreatePackageDialog,
}))
