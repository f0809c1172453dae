import { takePictures } from './pictures.ts'

takePictures('owners-day')
