import { takePictures } from './pictures.ts'

takePictures('visitors')
