import { takePictures } from './pictures.ts'

takePictures('members')
