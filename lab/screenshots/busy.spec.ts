import { takePictures } from './pictures.ts'

takePictures('busy')
