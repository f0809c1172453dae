import { takePictures } from './pictures.ts'

takePictures('owner')
