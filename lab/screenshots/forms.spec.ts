import { takePictures } from './pictures.ts'

takePictures('forms')
