import { apiClient } from '#foundation/api-client.ts'
import type * as contract from '../contract.ts'

export const picturesApi = apiClient<typeof contract>('pictures', { uploadPicture: 'POST /api/admin/pictures' })
