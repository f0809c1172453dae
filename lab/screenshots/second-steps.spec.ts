import { takePictures } from './pictures.ts'

takePictures('second-steps')
